-- What a flow's question about satisfaction asks in choices or words is kept with its ratings; such an answer has no rating.
alter table survey_answers alter column rating drop not null;
