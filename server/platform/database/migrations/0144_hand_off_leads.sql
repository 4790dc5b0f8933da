-- The address that a visitor left for people to answer is a lead: conversations that were handed over before are counted again.
insert into insight_pending (conversation_id, project_id)
  select conversation_id, project_id from hand_offs where email is not null and email <> ''
  on conflict do nothing;
