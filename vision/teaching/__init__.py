"""What an owner lays before the eye to be learnt: looked at, checked, fitted; and sets to try that with."""
