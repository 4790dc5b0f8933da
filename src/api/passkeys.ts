import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  listPasskeys,
  loginByPasskey,
  removePasskey,
} from '../../server/contracts/passkeys'
import { callRoute } from './client'

/** The account's passkeys, oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => callRoute(listPasskeys, { signal }).then(({ passkeys }) => passkeys),
  staleTime: 0,
})

/** Whether this browser has passkeys: only pages over https, and those of this machine, do. */
export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window

/** WebAuthn's forms, which the server checks: the contract gives their fields wider types. */
type Options<Start extends (given: never) => unknown> = Parameters<Start>[0] extends { optionsJSON: infer JSON }
  ? JSON
  : never

/** Logs in with a passkey that the browser offers. Rejects with a NotAllowedError if the person cancels. */
export function usePasskeyLogin(onSuccess: () => void) {
  return useMutation({
    mutationFn: async () => {
      const { options } = await callRoute(beginPasskeyLogin)
      const signed = await startAuthentication({ optionsJSON: options as unknown as Options<typeof startAuthentication> })
      return callRoute(loginByPasskey, { body: { signed: JSON.parse(JSON.stringify(signed)) } })
    },
    onSuccess,
  })
}

/** Adds and removes passkeys of the account. */
export function usePasskeyChanges() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  return {
    add: useMutation({
      mutationFn: async ({ current, name }: { current: string; name: string }) => {
        const { options } = await callRoute(beginPasskey, { body: { current } })
        const made = await startRegistration({ optionsJSON: options as unknown as Options<typeof startRegistration> })
        return callRoute(addPasskey, { body: { name, registered: JSON.parse(JSON.stringify(made)) } })
      },
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: ({ gid, current }: { gid: string; current: string }) =>
        callRoute(removePasskey, { params: { gid }, body: { current } }),
      onSuccess,
    }),
  }
}
