import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account'
import { pressed } from '../canvas/keyboard/chord'
import { hasOwnKeys } from '../canvas/keyboard/targets'
import type { FinderRow, FinderSection } from '../ui/finder/Finder'
import { FinderDialog } from '../ui/finder/FinderDialog'
import { PaletteFoot } from './PaletteFoot'
import { usePaletteStore } from './paletteStore'
import { readRecent, rememberRecent } from './recent'
import { searchSections, useAppRows } from './useAppRows'

/** Ctrl-K on every screen: where one can go and what one can do. */
export function AppPalette() {
  const { open, owners } = usePaletteStore()
  const owned = owners > 0
  // fetched before they are needed: a palette that waits for them would miss the first letters
  useTranslation('palette')
  useEffect(() => {
    if (owned) return
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !pressed('mod+k', event) || hasOwnKeys(event.target)) return
      event.preventDefault()
      usePaletteStore.setState({ open: true })
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [owned])
  return open && !owned ? <OpenPalette onClose={() => usePaletteStore.setState({ open: false })} /> : null
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette')
  const { ui } = useAccount().user
  const [search, setSearch] = useState('')
  const all = useAppRows()
  // choosing does not change the order under the eyes of who has just chosen
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
