-- AI message credits beyond the plan, where an owner allows them up to a sum (server/modules/subscriptions/README.md).
alter table subscriptions
  -- whole cents a month; null: nothing beyond the plan
  add column overage_cap integer check (overage_cap > 0);
alter table projects
  -- credits a month beyond the plan that are allowed and paid for
  add column overage_credits integer not null default 0 check (overage_credits >= 0);
-- How much of an amount is beyond what the month and what was given once have.
alter table credit_uses add column overage numeric(14, 4) not null default 0;
alter table credit_reservations add column overage numeric(14, 4) not null default 0;
alter table credit_months
  add column overage numeric(14, 4) not null default 0,
  -- whole credits that Stripe was told of, and up to which it is being told; null: nothing is under way
  add column overage_reported integer not null default 0,
  add column overage_reporting integer;
