import type { Golden } from '../../../server/contracts/golden'

export type Opened = { what: 'add' | 'import' } | { what: 'edit' | 'delete'; golden: Golden } | null
