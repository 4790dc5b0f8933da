-- A row refers to rows of its own project alone: the project is part of each reference. First what is referred to (small tables), then the
-- references without a look at the rows that are there: a moment's lock. The next migration looks at those, while others write.
alter table flow_versions add unique (id, project_id);
alter table contacts add unique (id, project_id);

alter table flows
  drop constraint flows_chatbot_id_fkey,
  drop constraint flows_published_version_id_fkey,
  add constraint flows_chatbot foreign key (chatbot_id, project_id)
    references chatbots (id, project_id) on delete cascade not valid,
  add constraint flows_published_version foreign key (published_version_id, project_id)
    references flow_versions (id, project_id) not valid;
alter table conversations
  drop constraint conversations_chatbot_id_fkey,
  drop constraint conversations_contact_id_fkey,
  add constraint conversations_chatbot foreign key (chatbot_id, project_id)
    references chatbots (id, project_id) on delete cascade not valid,
  add constraint conversations_contact foreign key (contact_id, project_id)
    references contacts (id, project_id) on delete set null (contact_id) not valid;
alter table runs
  drop constraint runs_flow_version_id_fkey,
  add constraint runs_flow_version foreign key (flow_version_id, project_id)
    references flow_versions (id, project_id) on delete cascade not valid;
alter table place_visits
  drop constraint place_visits_flow_version_id_fkey,
  add constraint place_visits_flow_version foreign key (flow_version_id, project_id)
    references flow_versions (id, project_id) on delete cascade not valid;
alter table knowledge_sources
  drop constraint knowledge_sources_crawl_id_fkey,
  add constraint knowledge_sources_crawl foreign key (crawl_id, project_id)
    references crawls (id, project_id) on delete set null (crawl_id) not valid;
alter table uploads
  drop constraint uploads_chatbot_id_fkey,
  add constraint uploads_chatbot foreign key (chatbot_id, project_id)
    references chatbots (id, project_id) on delete cascade not valid;
