import type { ProjectCaller } from '../../../access/access'
import { entitlementsOf } from '../../../access/entitlements'
import type { Resync } from '../../../contracts/sources'
import { ApiError } from '../../../platform/errors'

/** @throws ApiError `plan_limit` if something is to be read again by itself, and the plan has no automatic sync */
export function refuseResync({ project }: Pick<ProjectCaller, 'project'>, resync: Resync): void {
  if (resync !== 'never' && !entitlementsOf(project).features.auto_sync) throw new ApiError('plan_limit')
}
