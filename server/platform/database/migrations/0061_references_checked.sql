-- The rows that were there before 0060: read without keeping others from writing.
alter table flows validate constraint flows_chatbot, validate constraint flows_published_version;
alter table conversations validate constraint conversations_chatbot, validate constraint conversations_contact;
alter table runs validate constraint runs_flow_version;
alter table place_visits validate constraint place_visits_flow_version;
alter table knowledge_sources validate constraint knowledge_sources_crawl;
alter table uploads validate constraint uploads_chatbot;
