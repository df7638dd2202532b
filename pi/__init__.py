"""The appliance: everything that happens at the table. Importing it wakes no hardware."""
