-- Deleting a row looks for the rows that point at it: without these it reads the whole table, once for each row that goes.
create index flows_chatbot on flows (chatbot_id);
create index flows_published_version on flows (published_version_id) where published_version_id is not null;
create index conversations_flow_version on conversations (flow_version_id);
create index conversations_started_by on conversations (started_by) where started_by is not null;
create index user_settings_default_chatbot on user_settings (default_chatbot_id) where default_chatbot_id is not null;
create index files_created_by on files (created_by) where created_by is not null;
