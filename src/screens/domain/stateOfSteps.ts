import type { Domain } from '../../../server/contracts/domains'

export type StepState = 'done' | 'now' | 'wrong' | 'later'

export interface StepStates {
  ownership: StepState
  dns: StepState
  tls: StepState
  /** the one that a problem belongs to; 0: nothing is wrong */
  at: 0 | 1 | 2 | 3
}

type Code = NonNullable<Domain['problem']>['code']
const stepOf: Record<Exclude<Code, 'gave_up'>, 1 | 2 | 3> = {
  txt_missing: 1,
  txt_wrong: 1,
  dns_failed: 1,
  dns_missing: 2,
  private_address: 2,
  not_reached: 2,
  wrong_server: 2,
  tls_missing: 3,
  certificate_missing: 3,
  certificate_expired: 3,
  ca_dns: 3,
  ca_connection: 3,
  ca_unauthorized: 3,
  ca_caa: 3,
  ca_rate_limited: 3,
  ca_rejected: 3,
  ca_failed: 3,
}

/** How far a domain has come: what is done, what is waited for, and where something is wrong. */
export function stateOfSteps({ status, problem, ownership_verification, ssl_verification }: Domain): StepStates {
  const owned = ownership_verification.status === 'active'
  const secure = owned && ssl_verification.status === 'active'
  const reached = secure || status === 'issuing' || (owned && problem !== null && atOf(problem.code, owned) === 3)
  const at = problem ? atOf(problem.code, owned) : 0
  const state = (step: 1 | 2 | 3, done: boolean, before: boolean): StepState => {
    if (at === step && status === 'failed') return 'wrong'
    if (done) return at === step ? 'wrong' : 'done'
    return before ? 'now' : 'later'
  }
  return {
    ownership: state(1, owned, true),
    dns: state(2, reached, owned),
    tls: state(3, secure, reached),
    at,
  }
}

const atOf = (code: Code, owned: boolean): 1 | 2 | 3 => (code === 'gave_up' ? (owned ? 2 : 1) : stepOf[code])
