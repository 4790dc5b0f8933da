import { type Booking, type CalendlyState, type EventType, type Subscription, uris } from './state'

export const presentUser = (state: CalendlyState) => {
  const [person] = state.people
  const at = uris(state.origin())
  return {
    uri: at.user(person),
    name: person.name,
    slug: 'ada',
    email: person.email,
    scheduling_url: `${state.origin()}/ada`,
    timezone: 'Etc/UTC',
    avatar_url: null,
    current_organization: at.organization,
    created_at: '2026-01-01T00:00:00.000000Z',
    updated_at: '2026-01-01T00:00:00.000000Z',
  }
}

export const presentEventType = (state: CalendlyState, eventType: EventType) => ({
  uri: uris(state.origin()).eventType(eventType),
  name: eventType.name,
  active: eventType.active,
  slug: eventType.slug,
  scheduling_url: schedulingUrl(state, eventType),
  duration: eventType.minutes,
  kind: 'solo',
  pooling_type: null,
  type: 'StandardEventType',
  color: '#0b57d0',
  description_plain: null,
  secret: false,
  booking_method: 'instant',
  custom_questions: eventType.questions.map(({ name, required }, position) => ({
    name,
    type: 'string',
    position,
    enabled: true,
    required,
    answer_choices: [],
    include_other: false,
  })),
  profile: { type: 'User', name: state.people[0].name, owner: uris(state.origin()).user(state.people[0]) },
  deleted_at: null,
})

export const schedulingUrl = (state: CalendlyState, { slug }: EventType): string => `${state.origin()}/ada/${slug}`

export const presentEvent = (state: CalendlyState, booking: Booking) => ({
  uri: uris(state.origin()).event(booking),
  name: booking.eventType.name,
  status: booking.canceled ? 'canceled' : 'active',
  start_time: booking.start.toISOString(),
  end_time: booking.end.toISOString(),
  event_type: uris(state.origin()).eventType(booking.eventType),
  location: null,
  invitees_counter: { total: 1, active: booking.canceled ? 0 : 1, limit: 1 },
  event_memberships: [
    {
      user: uris(state.origin()).user(state.people[0]),
      user_email: state.people[0].email,
      user_name: state.people[0].name,
    },
  ],
  event_guests: [],
  created_at: booking.createdAt.toISOString(),
  updated_at: (booking.canceled?.at ?? booking.createdAt).toISOString(),
  ...cancellationOf(booking),
})

export function presentInvitee(state: CalendlyState, booking: Booking) {
  const at = uris(state.origin())
  const { invitee } = booking
  const { uuid, name, email, timezone, answers, tracking, oldBooking, newBooking } = invitee
  return {
    uri: at.invitee(booking),
    email,
    first_name: null,
    last_name: null,
    name,
    status: booking.canceled ? 'canceled' : 'active',
    timezone,
    event: at.event(booking),
    questions_and_answers: answers,
    tracking: {
      utm_campaign: null,
      utm_source: null,
      utm_medium: null,
      utm_content: null,
      utm_term: null,
      ...tracking,
    },
    text_reminder_number: null,
    rescheduled: newBooking !== null,
    old_invitee: oldBooking && at.invitee(oldBooking),
    new_invitee: newBooking && at.invitee(newBooking),
    cancel_url: `${state.origin()}/cancellations/${uuid}`,
    reschedule_url: `${state.origin()}/reschedulings/${uuid}`,
    routing_form_submission: null,
    payment: null,
    no_show: null,
    reconfirmation: null,
    created_at: booking.createdAt.toISOString(),
    updated_at: invitee.updatedAt.toISOString(),
    ...cancellationOf(booking),
  }
}

export const presentSubscription = (state: CalendlyState, subscription: Subscription) => ({
  uri: uris(state.origin()).subscription(subscription),
  callback_url: subscription.url,
  created_at: subscription.createdAt.toISOString(),
  updated_at: subscription.createdAt.toISOString(),
  retry_started_at: subscription.failingSince?.toISOString() ?? null,
  state: subscription.state,
  events: subscription.events,
  scope: subscription.scope,
  organization: subscription.organization,
  user: subscription.user,
  group: null,
  creator: uris(state.origin()).user(state.people[0]),
})

const cancellationOf = ({ canceled, invitee }: Booking) =>
  canceled && {
    cancellation: {
      canceled_by: canceled.by === 'host' ? 'Ada Example' : invitee.name,
      reason: canceled.reason,
      canceler_type: canceled.by,
      created_at: canceled.at.toISOString(),
    },
  }
