-- The channel of a lead stands in its row: the leads of one channel are counted without their conversations, also when these are deleted
-- (server/modules/insights/README.md). Who left a message while nobody was there, without a conversation, wrote on the web.
alter table leads add channel text not null default 'web';
update leads set channel = conversations.channel from conversations
where conversations.id = leads.conversation_id and conversations.project_id = leads.project_id and conversations.channel <> 'web';
drop index leads_period;
create index leads_period on leads (project_id, created_at) include (chatbot_id, environment, channel, deleted);
