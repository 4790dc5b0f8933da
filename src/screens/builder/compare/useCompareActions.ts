import { GitCompareArrows } from 'lucide-react'
import { useMemo } from 'react'
import { type Action, useProvideActions } from '../../../canvas/actionRegistry'
import type { Comparison } from './comparison'

/** Registers the action that compares the draft with the published version. @param published its number; null: none */
export function useCompareActions(published: number | null, compare: (shown: Comparison) => void): void {
  useProvideActions(
    useMemo(
      (): Action[] => [
        {
          id: 'compareWithPublished',
          section: 'flow',
          icon: GitCompareArrows,
          writes: false,
          enabled: () => published !== null,
          needs: 'published',
          run: () => published !== null && compare({ before: published, after: 'draft' }),
        },
      ],
      [published, compare],
    ),
  )
}
