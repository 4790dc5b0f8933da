import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account'
import type { FinderRow, FinderSection } from '../ui/finder/Finder'
import { FinderDialog } from '../ui/finder/FinderDialog'
import { PaletteFoot } from './PaletteFoot'
import { usePaletteStore } from './paletteStore'
import { readRecent, rememberRecent } from './recent'
import { searchSections, useAppRows } from './useAppRows'

/** The palette of screens and actions, above every screen once `usePaletteKey` or a button has opened it. */
export function AppPalette() {
  const { open, owners } = usePaletteStore()
  // loaded in advance: it opens at once then
  useTranslation('palette')
  return open && owners === 0 ? <OpenPalette onClose={() => usePaletteStore.setState({ open: false })} /> : null
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette')
  const { ui } = useAccount().user
  const [search, setSearch] = useState(() => usePaletteStore.getState().typed)
  useLayoutEffect(() => {
    usePaletteStore.setState({ drawn: true })
    return () => usePaletteStore.setState({ drawn: false, typed: '' })
  }, [])
  const ofScreen = usePaletteStore((state) => state.sections)
  const ofApp = useAppRows()
  const all = [...ofScreen, ...ofApp]
  // choosing does not reorder the open list
  const recent = useRef<readonly string[]>(null)
  recent.current ??= readRecent(ui)
  const wanted = search.trim()
  const rows = new Map(all.flatMap((section) => section.rows.map((row) => [row.key, row])))
  const latest = recent.current.flatMap((key) => rows.get(key) ?? [])
  const sections: readonly FinderSection[] = wanted
    ? searchSections(all, wanted).sort((a, b) => b.best - a.best)
    : [{ id: 'recent', title: t('recent'), rows: latest.map((row) => ({ ...row, key: `recent ${row.key}` })) }, ...all]
  const kept = (row: FinderRow): FinderRow => ({
    ...row,
    onChoose: () => {
      rememberRecent(ui, row.key)
      row.onChoose()
    },
  })
  return (
    <FinderDialog
      label={t('label')}
      placeholder={t('placeholder')}
      search={search}
      onSearch={setSearch}
      sections={sections.map((section) => ({ ...section, rows: section.rows.map(kept) }))}
      empty={t('none', { search })}
      foot={<PaletteFoot />}
      onClose={onClose}
    />
  )
}
