-- What a visitor said of one of the bot's messages: that it helped, or did not; null: nothing.
alter table messages add column helpful boolean;
