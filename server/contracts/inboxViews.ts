import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { inboxFilters, inboxViews } from './inbox'
import { defineRoute, gid, ok } from './route'

export const VIEW_NAME_CAP = 50
/** Most views that a member keeps of a project. */
export const MOST_KEPT_VIEWS = 50

const inProject = z.strictObject({ pgid: gid })
/** A period goes with the days: it is the last ones whenever the view is opened. */
const keptFilters = inboxFilters
  .omit({ since: true, until: true, rating: true })
  .extend({ rating: z.int().min(1).max(5).optional(), days: z.int().min(1).max(366).optional() })
const ofView = z.strictObject({
  name: z.string().trim().min(1, 'Enter a name').max(VIEW_NAME_CAP, tooLong(VIEW_NAME_CAP)),
  view: z.enum(inboxViews),
  filters: keptFilters,
})
const keptView = ofView.extend({ gid })
export type KeptView = z.infer<typeof keptView>

/** A member's own views of the inbox: a view with its filters, by a name. */
export const listKeptViews = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/views',
  access: { feature: 'conversations.view' },
  params: inProject,
  answer: z.strictObject({ views: z.array(keptView) }),
})

/** Keeps a view under a name; what is there of that name is replaced. */
export const keepView = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/views',
  access: { feature: 'conversations.view' },
  params: inProject,
  body: ofView,
  answer: z.strictObject({ view: keptView }),
})

export const forgetView = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/inbox/views/:gid',
  access: { feature: 'conversations.view' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: ok,
})
