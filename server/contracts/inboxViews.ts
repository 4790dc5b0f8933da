import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { inboxFilters, inboxViews } from './inbox'
import { defineRoute, gid, ok } from './route'

export const VIEW_NAME_CAP = 50
/** Most views that a member keeps of a project. */
export const MOST_KEPT_VIEWS = 50

const inProject = z.strictObject({ pgid: gid })
/** A period goes with the days, the last ones whenever the view is opened, or with its two ends. */
const keptFilters = inboxFilters
  .omit({ rating: true })
  .extend({ rating: z.int().min(1).max(5).optional(), days: z.int().min(1).max(366).optional() })
  .refine(
    ({ days, since, until }) => (since === undefined) === (until === undefined) && !(days && since),
    'A period is its days, or both of its ends',
  )
const shown = {
  name: z.string().trim().min(1, 'Enter a name').max(VIEW_NAME_CAP, tooLong(VIEW_NAME_CAP)),
  /** who sees it beside its keeper: everybody, or a team */
  shared_with: z.union([z.literal('everybody'), gid]).nullable(),
}
const ofView = z.strictObject({ ...shown, view: z.enum(inboxViews), filters: keptFilters })
const keptView = ofView.extend({
  gid,
  /** the caller keeps it */
  own: z.boolean(),
  /** who keeps it; null: a former member */
  by: z.string().nullable(),
})
export type KeptView = z.infer<typeof keptView>

/** Views of the inbox by a name, with their filters: the caller's own, and those that are shared with them. */
export const listKeptViews = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/views',
  access: { feature: 'conversations.view' },
  params: inProject,
  answer: z.strictObject({ views: z.array(keptView) }),
})

/** Keeps a view under a name; what the caller has of that name is replaced. */
export const keepView = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/views',
  access: { feature: 'conversations.view' },
  params: inProject,
  body: ofView.extend({ shared_with: shown.shared_with.default(null) }),
  answer: z.strictObject({ view: keptView }),
})

/** Renames a view, and says who sees it. A shared one is changed by whoever sees it, as labels and teams are. */
export const changeKeptView = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/inbox/views/:gid',
  access: { feature: 'conversations.update' },
  params: z.strictObject({ pgid: gid, gid }),
  body: z.strictObject(shown),
  answer: ok,
})

export const forgetView = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/inbox/views/:gid',
  access: { feature: 'conversations.view' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: ok,
})
