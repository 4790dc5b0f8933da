import { useEffect, useMemo, useState } from 'react'
import { createChecker, sortDiagnostics } from '../../../engine/check/createChecker'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import type { FlowOutline } from '../../../engine/check/outline'
import type { ChannelCapabilities } from '../../../engine/flow/capabilities'
import type { ListedFlow } from '../../../server/contracts/flows'
import { useEditor } from '../../canvas/context'

export interface Problems {
  diagnostics: readonly Diagnostic[]
  others: readonly FlowOutline[]
}

/**
 * The checker's findings in the open flow, shortly after each edit: edits within a frame are checked once, after
 * rendering and input.
 * @param flows all flows of the chatbot; null until loaded
 * @param secrets names of the project's secrets; null until loaded
 * @param mailServer whether there is one; null until loaded
 * @param channels what the chatbot's channels can show; default: the web
 */
export function useProblems(
  flows: readonly ListedFlow[] | null,
  current: string,
  secrets: ReadonlySet<string> | null = null,
  mailServer: boolean | null = null,
  channels?: readonly ChannelCapabilities[],
): Problems {
  const { document, registry } = useEditor()
  const [diagnostics, setDiagnostics] = useState<readonly Diagnostic[]>([])
  const others = useMemo(
    () =>
      (flows ?? [])
        .filter(({ gid }) => gid !== current)
        .map(({ gid, is_main, ...flow }): FlowOutline => ({ ...flow, id: is_main ? null : gid })),
    [flows, current],
  )
  const open = flows?.find(({ gid }) => gid === current)
  const isMain = open?.is_main
  useEffect(() => {
    if (isMain === undefined) return
    const checker = createChecker(registry, {
      ...{ flowId: isMain ? null : current, others, secrets, mailServer },
      ...(channels && { channels }),
    })
    let callOff: (() => void) | null = null
    const check = () => {
      callOff = null
      const projection = document.projection()
      const found = sortDiagnostics(checker.check(projection), projection)
      setDiagnostics((before) => (isSame(before, found) ? before : found))
    }
    const plan = () => {
      callOff ??= whenIdle(check)
    }
    plan()
    const stop = document.subscribe(plan)
    return () => {
      stop()
      callOff?.()
    }
  }, [document, registry, others, secrets, mailServer, channels, isMain, current])
  return useMemo(() => ({ diagnostics, others }), [diagnostics, others])
}

/** Unchanged findings keep their identity: typing renders no panel again. */
const isSame = (before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean =>
  before.length === after.length && after.every((diagnostic, at) => diagnostic === before[at])

/** Runs it when idle, or soon; returns a function that cancels. */
function whenIdle(run: () => void): () => void {
  // Safari lacks requestIdleCallback
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 60)
    return () => clearTimeout(timer)
  }
  const due = requestIdleCallback(run, { timeout: 300 })
  return () => cancelIdleCallback(due)
}
