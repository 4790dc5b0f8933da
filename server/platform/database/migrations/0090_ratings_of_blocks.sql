-- Ratings that a flow's question asked for are kept with those of the survey, marked by the question's block.
alter table survey_answers
  -- '': the survey of the chatbot's settings
  add column block_id text not null default '',
  -- the chosen label, on scales of other sizes than five
  add column chosen text not null default '';
alter table survey_answers drop constraint survey_answers_pkey;
alter table survey_answers add primary key (conversation_id, block_id);
