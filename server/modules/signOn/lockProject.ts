import type { Work } from '../../platform/database/database'

/** A project as who changes its members needs it, locked until the transaction ends. Undefined: it is gone. */
export const lockProject = (work: Work, projectId: string) =>
  work
    .selectFrom('projects')
    .select(['id', 'name', 'plan_id', 'addons'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
export type LockedProject = NonNullable<Awaited<ReturnType<typeof lockProject>>>
