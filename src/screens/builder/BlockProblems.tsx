import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../canvas/context'
import styles from './BlockProblems.module.css'
import { useBuilder } from './builderContext'
import { MendButton } from './MendButton'
import { useProblemText } from './problemWords'

const icons = { error: CircleAlert, warning: TriangleAlert, info: Info }

/** Over a block's form: what the checker says about the block, with what puts it right. */
export function BlockProblems({ blockId }: { blockId: string }) {
  const { t } = useTranslation('problems')
  const { readOnly } = useEditor()
  const { problems } = useBuilder()
  const textOf = useProblemText(problems)
  const own = problems.diagnostics.filter(({ place }) => place.blockId === blockId)
  if (own.length === 0) return null
  return (
    <ul className={styles.list} aria-label={t('panel.ofBlock')}>
      {own.map((diagnostic, at) => {
        const { severity, remedy } = diagnostic
        const Icon = icons[severity]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may be equal in all but their order
          <li key={at} className={styles.problem} data-severity={severity}>
            <Icon size={14} role="img" aria-label={t(`severity.${severity}`)} />
            <span>{textOf(diagnostic)}</span>
            {remedy && !readOnly && <MendButton remedy={remedy} design="ghost" />}
          </li>
        )
      })}
    </ul>
  )
}
