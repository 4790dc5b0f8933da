-- What was released may still be settled: whoever held it was slow, not dead.
alter table credit_reservations add column released_at timestamptz;
