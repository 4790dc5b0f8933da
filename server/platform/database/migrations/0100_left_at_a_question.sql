-- A conversation that its visitor left at a question of the flow is unresolved: those that were counted as the bot's are counted again.
insert into insight_pending (conversation_id, project_id)
  select conversation_id, project_id from conversation_facts where resolved_bot > 0
  on conflict do nothing;
