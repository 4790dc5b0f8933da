-- What an AI message credit costs a project, which analytics multiply credits by; null: the price of credits beyond the plan, where
-- they are sold.
alter table projects
  add column credit_price numeric(12, 6) check (credit_price > 0),
  add column credit_currency text check (credit_currency ~ '^[A-Z]{3}$'),
  add constraint credit_price_has_currency check ((credit_price is null) = (credit_currency is null));
