import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Projection } from '../../../engine/document/commands'
import { useView } from '../../canvas/adapter'
import { overlappingGroups } from '../../canvas/autoLayout/layoutGraph'
import { useEditor } from '../../canvas/context'
import { notify } from '../../ui/notify'

/**
 * Shows imported groups, and arranges them if they overlap at our sizes.
 * @param arrange one undo step, which the import itself is not
 * @returns `begin`: call before a file is sent; `end`: call when the server has accepted it
 */
export function useTidyImport(arrange: (groupIds?: ReadonlySet<string>) => Promise<void>) {
  const { document, registry, readOnly } = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  const location = useLocation()
  const navigate = useNavigate()
  const before = useRef<Projection['groups']>(null)
  const tidy = useCallback(
    (groupIds?: ReadonlySet<string>) => {
      const lying = overlappingGroups(document.projection(), registry)
      const some = groupIds ? [...lying].some((id) => groupIds.has(id)) : lying.size > 0
      if (!some || readOnly) return view.fit()
      notify.neutral(t('layout.imported'))
      void arrange(groupIds)
    },
    [document, registry, readOnly, view, t, arrange],
  )
  const arrived = (location.state as { imported?: true } | null)?.imported === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what one has just arrived at
  useEffect(() => {
    if (!arrived) return
    void navigate({ search: location.search }, { replace: true, state: null })
    if (overlappingGroups(document.projection(), registry).size > 0) tidy()
  }, [arrived])
  return {
    begin: () => {
      before.current = document.projection().groups
    },
    end: () => {
      const old = before.current
      const come = () => {
        const { groups } = document.projection()
        if (groups === old) return false
        const added = new Set([...groups.keys()].filter((id) => !old?.has(id)))
        tidy(added.size > 0 ? added : undefined)
        return true
      }
      // the response may be faster than the document's update
      if (come()) return
      const stop = document.subscribe(() => come() && stop())
    },
  }
}
