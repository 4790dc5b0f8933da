-- The emoji by which a visitor reacted to a message, on a channel that tells; null: none, or it was taken back.
alter table messages add column reaction text check (char_length(reaction) between 1 and 64);
