-- hashes of what a page says, block by block: what many pages of a site say is no passage of each of them
alter table crawl_pages add column blocks bigint[];
alter table knowledge_sources add column blocks bigint[];
