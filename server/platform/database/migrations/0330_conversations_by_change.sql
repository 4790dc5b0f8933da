-- conversations_newest serves the same queries, read backwards; each turn of a conversation writes all its indexes.
drop index conversations_by_change;
