import type { EvaluationQuestion } from '../../../server/contracts/evaluations'

export type Opened = { what: 'add' | 'import' } | { what: 'edit' | 'delete'; evaluation: EvaluationQuestion } | null
