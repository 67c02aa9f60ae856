"""What is tortured, one file each: a class `Target` as `torture.target` declares it."""
