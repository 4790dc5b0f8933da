-- Passages whose record is of an earlier form are found by the sweep that makes it anew (server/modules/knowledge/training/renewRecords.ts).
create index knowledge_chunks_form on knowledge_chunks (get_byte(tokens, 0));
