-- "transfers_rare" is in late/: building it here would keep everyone from writing meanwhile.
SELECT 1;
