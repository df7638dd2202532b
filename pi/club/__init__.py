"""One board of all the tables of a club, from what they tell a broker (`pi.neighbours`)."""
