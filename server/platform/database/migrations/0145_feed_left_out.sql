-- What members have deleted of a list's pages: it names them still, and they are not to come again. As md5 of their
-- addresses, which are what sources are compared by.
alter table knowledge_feeds add left_out text[] not null default '{}';
