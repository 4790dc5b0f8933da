import { GitCompareArrows } from 'lucide-react'
import { useMemo } from 'react'
import { type Action, useProvideActions } from '../../../canvas/actionRegistry'
import type { Comparison } from './comparison'

/** Offers the comparison of the draft with what is public. @param published its number; null while nothing is */
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
