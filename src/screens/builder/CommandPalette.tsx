import { Command, Keyboard } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Action, useProvideActions } from '../../canvas/actionRegistry'
import { usePrepareFlowIndex } from '../../canvas/finder/useFlowIndex'
import { PaletteFoot } from '../../palette/PaletteFoot'
import { useOwnPalette } from '../../palette/paletteStore'
import { FinderDialog } from '../../ui/finder/FinderDialog'
import { KeySheet } from './KeySheet'
import { usePaletteSections } from './paletteSections'

/** Ctrl-K: all actions, and everything in the chatbot; and the sheet of all keys. */
export function CommandPalette() {
  const [open, setOpen] = useState<'palette' | 'sheet' | null>(null)
  const actions = useMemo<Action[]>(() => {
    const help = { section: 'help', writes: false } as const
    return [
      {
        ...help,
        id: 'commandPalette',
        keys: ['mod+k', 'mod+p'],
        icon: Command,
        whileTyping: true,
        run: () => setOpen('palette'),
      },
      { ...help, id: 'keySheet', keys: ['?'], icon: Keyboard, run: () => setOpen('sheet') },
    ]
  }, [])
  useProvideActions(actions)
  useOwnPalette()
  usePrepareFlowIndex()
  const close = () => setOpen(null)
  if (open === 'sheet') return <KeySheet onClose={close} />
  return open === 'palette' && <OpenPalette onClose={close} />
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('builder')
  const [search, setSearch] = useState('')
  const sections = usePaletteSections(useDeferredValue(search))
  return (
    <FinderDialog
      label={t('finder.label')}
      placeholder={t('finder.placeholder')}
      search={search}
      onSearch={setSearch}
      sections={sections}
      empty={t('finder.none', { search })}
      foot={<PaletteFoot />}
      onClose={onClose}
    />
  )
}
