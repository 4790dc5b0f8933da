import * as contract from '../../server/contracts/webhookTriggers'
import type { Hooks } from '../text/hooks'
import { callRoute } from './client'

/** The addresses of a chatbot's triggers. */
export const hooksOf = (pgid: string, cgid: string): Hooks => ({
  open: (block) => callRoute(contract.openHook, { params: { pgid, cgid, block } }),
  renew: (block) => callRoute(contract.renewHook, { params: { pgid, cgid, block } }),
  sign: (block, signed) => callRoute(contract.signHook, { params: { pgid, cgid, block }, body: { signed } }),
  forget: (block) => callRoute(contract.forgetHookSample, { params: { pgid, cgid, block } }),
})
