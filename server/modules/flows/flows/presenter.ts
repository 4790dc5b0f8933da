import type { Selectable } from 'kysely'
import { enteredFlows, flowCalls } from '../../../../engine/flow/otherFlows'
import type { Registry } from '../../../../engine/flow/registry'
import type { Flow } from '../../../../engine/flow/schema'
import type { ListedFlow } from '../../../contracts/flows'
import type { FlowsTable } from '../tables'

export function presentFlow(
  { gid, title, is_main }: Pick<Selectable<FlowsTable>, 'gid' | 'title' | 'is_main'>,
  draft: Flow,
  registry: Registry,
): ListedFlow {
  return {
    gid,
    title,
    is_main,
    groups: draft.groups.map(({ id, title }) => ({ id, title })),
    variables: draft.variables.map(({ id, name }) => ({ id, name })),
    enters: enteredFlows(draft, registry),
    calls: flowCalls(draft, registry),
    ...(draft.languages && { languages: draft.languages }),
  }
}
