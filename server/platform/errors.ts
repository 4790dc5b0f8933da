import { STATUS_CODES } from 'node:http'
import { type Trouble, troubleOf } from './trouble'

/**
 * Every error that the server answers with, one row per cause. Codes are stable; retired ones are never reused. The
 * texts of 401, 403, 404, 429 and 500 are those of SPEC.md 2 and 8.
 */
export const apiErrors = {
  malformed: { status: 400, text: 'The request could not be read.' },
  nested_too_deeply: { status: 400, text: 'The request is nested too deeply.' },
  unauthenticated: { status: 401, text: 'You are not authenticated. Please login.' },
  forbidden: { status: 403, text: 'Sorry, you are not authorized to view this page.' },
  plan_limit: {
    status: 403,
    text: 'This feature is not available on your current plan. You must upgrade to enable it.',
  },
  over_limit: {
    status: 403,
    text: 'This chatbot is over the limit of your plan, so that it can only be read. Upgrade the plan, or have an owner choose which chatbots stay.',
  },
  setup_required: {
    status: 403,
    text: 'Create the first account with the link that the server printed when it started.',
  },
  registration_closed: { status: 403, text: 'New accounts are by invitation only.' },
  project_suspended: {
    status: 403,
    text: 'This project was suspended. Ask the person who runs this installation.',
  },
  account_suspended: {
    status: 403,
    text: 'This account was suspended. Ask the person who runs this installation.',
  },
  viewing_only: { status: 403, text: 'You see Parley as somebody else, and can change nothing meanwhile.' },
  not_found: { status: 404, text: 'This page could not be found' },
  chat_closed: { status: 403, text: 'This chat is closed at the moment.' },
  visitor_blocked: { status: 403, text: 'You can’t write to this chat any more.' },
  password_required: { status: 403, text: 'Enter the password to open this chat.' },
  login_required: { status: 403, text: 'Log in as a member of the project to open this chat.' },
  login_expired: { status: 409, text: 'This took too long, or too many codes were wrong. Enter your password again.' },
  second_factor_required: {
    status: 403,
    text: 'This project can only be opened with two-factor sign-in. Turn it on in your account, or log in with it.',
  },
  sign_on_required: {
    status: 403,
    text: 'This project can only be opened by signing in with your organisation. Choose that on the log-in page.',
  },
  organisation_asks: {
    status: 409,
    text: 'Your organisation has a project here, and asks its people to sign in with it.',
  },
  organisation_needed: {
    status: 403,
    text: 'Your organisation lets its people in only by its own sign-in. Choose that instead.',
  },
  address_not_allowed: {
    status: 403,
    text: 'This project can only be opened from certain networks, and you are in none of them. Ask its owner.',
  },
  logged_in: { status: 409, text: 'You are already logged in.' },
  conflict: { status: 409, text: 'Someone else changed this. Please refresh the page.' },
  conversation_closed: { status: 409, text: 'The conversation has been closed meanwhile.' },
  colleague_answered: { status: 409, text: 'A colleague has answered meanwhile.' },
  conversation_merged: { status: 409, text: 'The conversation was merged into another one.' },
  agents_only: {
    status: 409,
    text: 'This chatbot only answers from its sources. Upgrade it to an agent for flows and actions.',
  },
  sample_only: { status: 409, text: 'This chatbot is a sample. Duplicate it, and publish the copy.' },
  setup_missing: { status: 409, text: 'Please complete the following to setup the chatbot' },
  // of Stripe
  card_refused: { status: 402, text: 'The card was declined. Use another one under “Card and invoices”.' },
  no_subscription: { status: 409, text: 'There is no subscription any more. Please refresh the page.' },
  subscribed_already: { status: 409, text: 'This project has a subscription already. Please refresh the page.' },
  subscription_ends: { status: 409, text: 'The subscription was cancelled. Resume it before you change it.' },
  change_planned: {
    status: 409,
    text: 'A change is planned for the end of the period. Undo it before you add something.',
  },
  project_subscribed: {
    status: 409,
    text: 'This project has a subscription. Cancel it before you delete the project.',
  },
  too_large: { status: 413, text: 'This is too large.' },
  unsupported_type: { status: 415, text: 'This call accepts JSON only.' },
  session_expired: { status: 419, text: 'Your session has expired, please refresh the page.' },
  invalid: { status: 422, text: 'Fix the errors in the form and retry' },
  flow_errors: { status: 422, text: 'The flow has errors. Fix them and publish again.' },
  wrong_password: { status: 422, text: 'Wrong password.' },
  unsafe_file: { status: 422, text: 'A virus was found in this file, so it was not saved.' },
  credentials: { status: 422, text: 'Wrong email or password.' },
  too_many_requests: { status: 429, text: "You're sending too many requests! Please retry after one minute." },
  visitor_limit: { status: 429, text: 'You are sending messages too quickly. Please wait a moment.' },
  upload_limit: { status: 429, text: 'Too many uploads. Please retry later.' },
  internal: { status: 500, text: 'An error occured!' },
  overloaded: { status: 503, text: 'The server is busy, please retry in a moment.' },
  unavailable: { status: 503, text: 'The server is not available right now. Please retry in a moment.' },
  too_slow: {
    status: 503,
    text: 'The database took too long for this, so it was ended. Ask for less at once, such as a shorter time, or retry later.',
  },
  scan_failed: {
    status: 503,
    text: 'This file could not be checked for viruses, so it was not saved. Retry later, or ask the person who runs this installation.',
  },
  billing_unset: {
    status: 503,
    text: 'Nobody can pay here at the moment. Ask the person who runs this installation to look at its Stripe settings.',
  },
  billing_unavailable: {
    status: 503,
    text: 'Stripe can’t be reached right now. Nothing was changed. Please retry in a moment.',
  },
  project_full: {
    status: 507,
    text: 'This project has no file storage left. Ask the person who runs this installation.',
  },
  storage_full: {
    status: 507,
    text: 'The server has no storage left, so nothing was saved. Ask the person who runs it.',
  },
} as const satisfies Record<string, { status: number; text: string }>

export type ApiErrorCode = keyof typeof apiErrors

interface ApiErrorOptions {
  /** replaces the table's text */
  message?: string
  /** messages by field path */
  fields?: Record<string, string>
  /** additional data of the answer, for the interface */
  details?: Record<string, unknown>
  /** seconds for the Retry-After header */
  retryAfter?: number
  cause?: unknown
}

/** Thrown if a call can't be answered; app.ts turns it into the envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(
    readonly code: ApiErrorCode,
    options: ApiErrorOptions = {},
  ) {
    super(options.message ?? apiErrors[code].text, { cause: options.cause })
    this.status = apiErrors[code].status
    this.fields = options.fields
    this.details = options.details
    this.retryAfter = options.retryAfter
  }

  /** The response body (SPEC.md 7). */
  get envelope() {
    const { message, fields, details } = this
    const data = fields || details ? { message, ...(fields && { fields }), ...details } : message
    return { success: false, data, code: this.code } as const
  }
}

/** An invalid field, for a reason that a schema can't check. */
export const fieldError = (field: string, message: string) => new ApiError('invalid', { fields: { [field]: message } })

const byStatus: Partial<Record<number, ApiErrorCode>> = {
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_type',
  429: 'too_many_requests',
  503: 'overloaded',
}

/**
 * PostgreSQL's codes for invalid values of a call (such as U+0000), for conflicts between two calls, and for a
 * statement that was ended.
 */
const byPostgres: Partial<Record<string, ApiErrorCode>> = {
  '22021': 'invalid',
  '22P05': 'invalid',
  '23505': 'conflict',
  '40001': 'conflict',
  '40P01': 'conflict',
  '57014': 'too_slow',
}

/** Trouble with the machine is temporary: the same call may succeed later. */
const byTrouble = {
  database: 'unavailable',
  descriptors: 'unavailable',
  disk: 'storage_full',
} as const satisfies Record<Trouble, ApiErrorCode>

/** Retry-After in seconds by status. */
export const retryAfter: Partial<Record<number, number>> = { 429: 60, 503: 5, 507: 60 }

/** Whether PostgreSQL refused a row because a unique value is taken. */
export const isUniqueViolation = (thrown: unknown) => sqlState(thrown) === '23505'

/** Whether the transaction's `lock_timeout` expired. */
export const isLockTimeout = (thrown: unknown) => sqlState(thrown) === '55P03'

/**
 * Converts any thrown value to an ApiError with the original as its cause: trouble with the database, disks or
 * descriptors becomes a 503 or 507, a framework's 4xx keeps its status, everything else is a 500.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const trouble = troubleOf(thrown)
  if (trouble) return new ApiError(byTrouble[trouble], { cause: thrown })
  const refused = byPostgres[sqlState(thrown) ?? '']
  if (refused) return new ApiError(refused, { cause: thrown })
  const status = statusOf(thrown)
  const code = byStatus[status] ?? (status >= 400 && status < 500 ? 'malformed' : 'internal')
  return new ApiError(code, { cause: thrown })
}

function statusOf(thrown: unknown): number {
  const status = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? thrown.statusCode : 500
  return typeof status === 'number' && STATUS_CODES[status] ? status : 500
}

function sqlState(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : undefined
}
