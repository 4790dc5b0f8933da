-- What somebody answered to the welcome survey (server/contracts/firstSteps.ts), and to the question what should be built next.
alter table user_settings add column survey jsonb;
alter table user_settings add column feature_vote text;
-- true until it is answered or put away; shown from an account's eighth day (server/modules/projects/account/settings.ts)
alter table user_settings alter column show_feature_vote_1 set default true;
update user_settings set show_feature_vote_1 = true;
