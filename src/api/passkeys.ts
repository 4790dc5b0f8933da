import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  listPasskeys,
  loginByPasskey,
  type MadePasskey,
  removePasskey,
  renamePasskey,
  type SignedByPasskey,
} from '../../server/contracts/passkeys'
import { refreshAccount } from './account'
import { callRoute } from './client'
import { sessionsQuery } from './profile'

/** The account's passkeys, oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => callRoute(listPasskeys, { signal }).then(({ passkeys }) => passkeys),
  staleTime: 0,
})

const OF_NUMBERS = /^[\d.]+$|^\[/

/** Whether this browser can use passkeys at this address: not without https, nor at an address of numbers. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !OF_NUMBERS.test(window.location.hostname)

/** Why a browser or a device did not do what it was asked. */
export type DeviceProblem = 'cancelled' | 'already' | 'address' | 'unfit' | 'failed'

const PROBLEMS: Readonly<Record<string, DeviceProblem>> = {
  ERROR_CEREMONY_ABORTED: 'cancelled',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'already',
  ERROR_INVALID_DOMAIN: 'address',
  ERROR_INVALID_RP_ID: 'address',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'unfit',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: 'unfit',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'unfit',
}

/** @returns null for what is not of the browser: a failure of a call */
export function deviceProblemOf(error: Error): DeviceProblem | null {
  const isOfBrowser = error instanceof WebAuthnError || error instanceof DOMException
  if (!isOfBrowser) return null
  // that a person says no, takes too long, or has none to choose, browsers do not tell apart
  if (error.name === 'NotAllowedError') return 'cancelled'
  return (error instanceof WebAuthnError && PROBLEMS[error.code]) || 'failed'
}

/** Logs in by a passkey that the browser offers. */
export function usePasskeyLogin(onSuccess: () => void) {
  return useMutation({
    mutationFn: async () => {
      const { options } = await callRoute(beginPasskeyLogin)
      return callRoute(loginByPasskey, { body: { signed: await signWithDevice(options) } })
    },
    onSuccess,
  })
}

/** Adds, names and removes passkeys of the account. */
export function usePasskeyChanges() {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  // projects may open with the first, or close without the last
  const refreshAll = () =>
    Promise.all([refresh(), queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }), refreshAccount()])
  return {
    add: useMutation({
      mutationFn: async ({ current, name }: { current: string; name: string }) => {
        const { options } = await callRoute(beginPasskey, { body: { current } })
        return callRoute(addPasskey, { body: { name, made: await makeWithDevice(options) } })
      },
      onSuccess: refreshAll,
    }),
    rename: useMutation({
      mutationFn: ({ gid, name }: { gid: string; name: string }) =>
        callRoute(renamePasskey, { params: { gid }, body: { name } }),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: ({ gid, current }: { gid: string; current: string }) =>
        callRoute(removePasskey, { params: { gid }, body: { current } }),
      onSuccess: refreshAll,
    }),
  }
}

/** The contract leaves the form of what is asked to WebAuthn, which both libraries know. */
async function makeWithDevice(options: object): Promise<MadePasskey> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { credential: id, clientDataJSON, attestationObject, transports }
}

async function signWithDevice(options: object): Promise<SignedByPasskey> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await startAuthentication({ optionsJSON })
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
  return { credential: id, clientDataJSON, authenticatorData, signature, userHandle }
}
