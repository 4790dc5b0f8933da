import { registry } from '../../../blocks/registry'
import { kindPage } from '../programs/kindPage'

/** A page for each kind of block. */
export default {
  paths: () =>
    registry.kinds.map((definition) => ({
      params: { kind: definition.kind },
      content: kindPage(definition),
    })),
}
