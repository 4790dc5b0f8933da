import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** What who runs the installation sees of it and does with it. For all others these addresses do not exist. */
const jobId = z.string().regex(/^\d{1,19}$/, 'This is not a valid id')
const search = z.strictObject({ search: z.string().max(100).optional() })
/** Why something is done: whoever reads the list of actions later wants to know. */
const why = z.string().trim().min(1, 'Say why').max(300, 'Must not exceed 300 characters')
const time = z.string()

export const overviewSchema = z.strictObject({
  version: z.string(),
  /** what the operator's feed names as the newest one; null: none is set, or it has not answered yet */
  newest: z.strictObject({ version: z.string(), asked_at: time, is_later: z.boolean() }).nullable(),
  /** seconds since the process that answers has started */
  uptime: z.number(),
  /** bytes of memory of that process */
  memory: z.number(),
  database_bytes: z.number(),
  projects: z.int(),
  people: z.int(),
  /** AI message credits of this month, of all projects */
  credits_used: z.number(),
  jobs: z.strictObject({ due: z.int(), running: z.int(), waiting: z.int(), given_up: z.int() }),
  /** seconds that the oldest due job has been due */
  oldest_due: z.number(),
  /** events that a consumer could not handle */
  events: z.strictObject({ retried: z.int(), given_up: z.int() }),
  /** seconds that the slowest consumer of events is behind */
  events_behind: z.number(),
})
export type Overview = z.infer<typeof overviewSchema>
export const readOverview = defineRoute({
  method: 'GET',
  path: '/api/admin/overview',
  access: 'operator',
  answer: overviewSchema,
})

/** The most rows of a list; what is searched for narrows it. */
export const ADMIN_ROWS = 200

export const deadJobSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  project: z.strictObject({ gid: z.string(), name: z.string() }).nullable(),
  attempts: z.int(),
  error: z.string(),
  failed_at: time,
})
export type DeadJob = z.infer<typeof deadJobSchema>
export const listDeadJobs = defineRoute({
  method: 'GET',
  path: '/api/admin/jobs',
  access: 'operator',
  answer: z.strictObject({
    jobs: z.array(deadJobSchema),
    events: z.array(z.strictObject({ consumer: z.string(), type: z.string(), project: z.string(), error: z.string() })),
  }),
})
export const retryDeadJob = defineRoute({
  method: 'POST',
  path: '/api/admin/jobs/:job/retry',
  access: 'operator',
  params: z.strictObject({ job: jobId }),
  answer: ok,
})
export const dismissDeadJob = defineRoute({
  method: 'DELETE',
  path: '/api/admin/jobs/:job',
  access: 'operator',
  params: z.strictObject({ job: jobId }),
  answer: ok,
})
/** Everything that was given up, jobs and events, is tried again. */
export const retryAll = defineRoute({
  method: 'POST',
  path: '/api/admin/retry-all',
  access: 'operator',
  answer: z.strictObject({ jobs: z.int(), events: z.int() }),
})

export const adminProjectSchema = z.strictObject({
  gid: z.string(),
  name: z.string(),
  plan_id: z.string(),
  owners: z.array(z.string()),
  members: z.int(),
  chatbots: z.int(),
  /** AI message credits of this month */
  credits_used: z.number(),
  bonus_ai_credits: z.number(),
  /** a subscription sets its plan */
  pays: z.boolean(),
  created_at: time,
  suspended_at: time.nullable(),
  suspended_why: z.string().nullable(),
})
export type AdminProject = z.infer<typeof adminProjectSchema>
export const listAllProjects = defineRoute({
  method: 'GET',
  path: '/api/admin/projects',
  access: 'operator',
  query: search,
  answer: z.strictObject({ projects: z.array(adminProjectSchema), more: z.boolean() }),
})
/** What is left out stays. */
export const changeAllowanceBody = z.strictObject({
  plan_id: z.enum(['free', 'starter', 'growth', 'business', 'self-hosted']).optional(),
  /** AI message credits that count once, after the month's own */
  bonus_ai_credits: z.int().min(0).max(1_000_000_000).optional(),
})
export const changeAllowance = defineRoute({
  method: 'PATCH',
  path: '/api/admin/projects/:gid',
  access: 'operator',
  params: z.strictObject({ gid }),
  body: changeAllowanceBody,
  answer: ok,
})
const suspension = z.strictObject({ why })
export const suspendProject = defineRoute({
  method: 'POST',
  path: '/api/admin/projects/:gid/suspend',
  access: 'operator',
  params: z.strictObject({ gid }),
  body: suspension,
  answer: ok,
})
export const resumeProject = defineRoute({
  method: 'POST',
  path: '/api/admin/projects/:gid/resume',
  access: 'operator',
  params: z.strictObject({ gid }),
  answer: ok,
})

export const adminPersonSchema = z.strictObject({
  gid: z.string(),
  email: z.string(),
  name: z.string(),
  projects: z.array(z.string()),
  /** null: not logged in anywhere */
  seen_at: time.nullable(),
  created_at: time,
  operator: z.boolean(),
  two_factor: z.boolean(),
  suspended_at: time.nullable(),
  suspended_why: z.string().nullable(),
})
export type AdminPerson = z.infer<typeof adminPersonSchema>
export const listPeople = defineRoute({
  method: 'GET',
  path: '/api/admin/people',
  access: 'operator',
  query: search,
  answer: z.strictObject({ people: z.array(adminPersonSchema), more: z.boolean() }),
})
export const suspendPerson = defineRoute({
  method: 'POST',
  path: '/api/admin/people/:gid/suspend',
  access: 'operator',
  params: z.strictObject({ gid }),
  body: suspension,
  answer: ok,
})
export const resumePerson = defineRoute({
  method: 'POST',
  path: '/api/admin/people/:gid/resume',
  access: 'operator',
  params: z.strictObject({ gid }),
  answer: ok,
})
/** For somebody who has lost the app and the recovery codes: the password alone lets them in from then on. */
export const turnOffTwoFactorOf = defineRoute({
  method: 'POST',
  path: '/api/admin/people/:gid/two-factor-off',
  access: 'operator',
  params: z.strictObject({ gid }),
  body: suspension,
  answer: ok,
})
/** From now on, for half an hour, the operator's session sees what the person sees, and can change nothing. */
export const viewAs = defineRoute({
  method: 'POST',
  path: '/api/admin/people/:gid/view',
  access: 'operator',
  params: z.strictObject({ gid }),
  body: suspension,
  answer: ok,
})
export const stopViewing = defineRoute({ method: 'POST', path: '/api/stop-viewing', access: 'user', answer: ok })

export const announcementBody = z.strictObject({
  /** empty: it is taken away */
  text: z.string().trim().max(500, 'Must not exceed 500 characters'),
  warns: z.boolean(),
})
export const announce = defineRoute({
  method: 'POST',
  path: '/api/admin/announcement',
  access: 'operator',
  body: announcementBody,
  answer: ok,
})

export const operatorActions = [
  'retry_job',
  'dismiss_job',
  'retry_all',
  'change_allowance',
  'suspend_project',
  'resume_project',
  'suspend_person',
  'resume_person',
  'view_as',
  'turn_off_two_factor',
  'open_addresses',
  'turn_off_sign_on_rule',
  'announce',
  'clear_csp_reports',
] as const
export type OperatorAction = (typeof operatorActions)[number]
export const listOperatorActions = defineRoute({
  method: 'GET',
  path: '/api/admin/actions',
  access: 'operator',
  answer: z.strictObject({
    actions: z.array(
      z.strictObject({
        id: z.string(),
        at: time,
        /** null: the command line */
        operator: z.string().nullable(),
        action: z.enum(operatorActions),
        target: z.string(),
        details: z.string(),
      }),
    ),
  }),
})

/** What the interface says above each screen, and whether it has the screen of operators. */
export const operatorNoticeSchema = z.strictObject({
  operator: z.boolean(),
  announcement: z.strictObject({ text: z.string(), warns: z.boolean(), at: time }).nullable(),
  /** an operator sees the installation as this person */
  viewing: z.strictObject({ email: z.string(), until: time }).nullable(),
})
export type OperatorNotice = z.infer<typeof operatorNoticeSchema>
export const readOperatorNotice = defineRoute({
  method: 'GET',
  path: '/api/operator-notice',
  access: 'user',
  answer: operatorNoticeSchema,
})
