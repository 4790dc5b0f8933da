import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesCombined } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../../api/account'
import { statisticsQuery } from '../../../../api/statistics'
import { type Action, useProvideActions } from '../../../../canvas/actionRegistry'
import { useEditor, useProjection } from '../../../../canvas/context'
import { showMarks } from '../../../../canvas/showMarks'
import { type BuilderValue, useBuilder } from '../../builderContext'
import { markStatistics } from './statisticsMarks'
import { filterOf, forgetStatisticsView, useStatisticsView } from './statisticsView'

/** The filtered statistics of the open flow. */
export function useStatistics({ wanted }: { wanted: boolean }) {
  const { pgid, chatbot, fid } = useBuilder()
  return useStatisticsOf({ pgid, chatbot, fid }, wanted)
}

function useStatisticsOf({ pgid, chatbot, fid }: Pick<BuilderValue, 'pgid' | 'chatbot' | 'fid'>, wanted: boolean) {
  const view = useStatisticsView()
  const allowed = useCan('analytics.view')
  const filter = filterOf(view, new Date())
  const query = useQuery({
    ...statisticsQuery({ pgid, cgid: chatbot.gid, fid }, filter ?? {}),
    enabled: wanted && allowed && filter !== null,
  })
  return { allowed, contradiction: filter === null, query }
}

/** Shows them on the canvas while their panel is open, or longer if pinned; registers the action that pins them. */
export function useStatisticsMarks(place: Pick<BuilderValue, 'pgid' | 'chatbot' | 'fid' | 'panel'>): void {
  const { store } = useEditor()
  const { t } = useTranslation('statistics', { useSuspense: false })
  const { drawn, pinned } = useStatisticsView()
  const wanted = drawn && (pinned || place.panel === 'statistics')
  const { allowed, query } = useStatisticsOf(place, wanted)
  const groups = useProjection((projection) => projection.groups)
  const blocks = useProjection((projection) => projection.blocks)
  const edges = useProjection((projection) => projection.edges)
  const statistics = wanted && !query.isError ? query.data : undefined
  const layer = useMemo(
    () => (statistics ? markStatistics(statistics, { groups, blocks, edges }, t) : null),
    [statistics, groups, blocks, edges, t],
  )
  useProvideActions(useMemo(() => (allowed ? [toggle] : []), [allowed]))
  useEffect(() => {
    showMarks(store, 'statistics', layer)
    return () => showMarks(store, 'statistics', null)
  }, [store, layer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is of the chatbot that one leaves
  useEffect(() => forgetStatisticsView, [place.chatbot.gid])
}

const toggle: Action = {
  id: 'toggleStatistics',
  section: 'view',
  icon: ChartNoAxesCombined,
  writes: false,
  run: () => useStatisticsView.setState(({ pinned }) => ({ pinned: !pinned, drawn: true })),
}
