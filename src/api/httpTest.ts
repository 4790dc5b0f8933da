import type { HttpAnswer, HttpCall } from '../../engine/effects/http'
import { sendHttpTest } from '../../server/contracts/http-test'
import { callRoute } from './client'

/** Sends a request from the server. Throws ApiFailure, and the signal's reason. */
export async function sendTestRequest(pgid: string, request: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
  return (await callRoute(sendHttpTest, { params: { pgid }, body: request, signal })).answer
}
