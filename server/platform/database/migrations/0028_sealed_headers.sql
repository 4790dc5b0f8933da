-- The values of an HTTP action's headers, as JSON { name: value } sealed by server/secrets; null: none has one that has to be hidden.
alter table agent_actions add column sealed_headers text;
