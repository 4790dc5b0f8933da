import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listSources } from '../../server/contracts/sources'
import { useCan } from '../api/account'
import { callRoute } from '../api/client'
import { Select } from '../ui/Select'

interface SourceSelectProps {
  pgid: string
  cgid: string
  label: string
  value: string | null
  /** the title of the value, which may not be among the first sources */
  title: string | null
  error: string | undefined
  onChange: (gid: string) => void
}

/** Number of options; searching finds others. */
const OFFERED = 50

/**
 * Chooses a source of the chatbot's knowledge base by title. Without the right to view sources, the present one is
 * kept.
 */
export function SourceSelect({ pgid, cgid, label, value, title, error, onChange }: SourceSelectProps) {
  const { t } = useTranslation('answers')
  const mayView = useCan('knowledge_base.view')
  const [search, setSearch] = useState('')
  const [known, setKnown] = useState(() => new Map(value && title ? [[value, title]] : []))
  const wanted = useDeferredValue(search === known.get(value ?? '') ? '' : search.trim())
  const { data } = useQuery({
    queryKey: ['sources', pgid, cgid, 'choice', wanted],
    queryFn: async ({ signal }) => {
      const query = { offset: 0, limit: OFFERED, ...(wanted && { search: wanted }) }
      const own = await callRoute(listSources, { params: { pgid, cgid }, query, signal })
      if (!own.linked) return own.sources
      return (await callRoute(listSources, { params: { pgid, cgid: own.linked.gid }, query, signal })).sources
    },
    placeholderData: keepPreviousData,
    enabled: mayView,
  })
  const offered = new Map([
    ...(wanted ? [] : known),
    ...(data ?? []).map(({ gid, title: name }) => [gid, name] as const),
  ])
  const chosen = value && known.get(value)
  if (value && chosen) offered.set(value, chosen)
  return (
    <Select
      label={label}
      placeholder={t('evaluation.sourcePick')}
      searchable
      value={value}
      error={error}
      nothingFoundMessage={t('evaluation.sourceNone')}
      data={[...offered].map(([gid, name]) => ({ value: gid, label: name }))}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={(gid) => {
        if (!gid) return
        setKnown(new Map([[gid, offered.get(gid) ?? '']]))
        onChange(gid)
      }}
    />
  )
}
