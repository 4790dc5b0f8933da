import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'
import { placeholderFromTypebot } from './import'

test.each(placeholderFromTypebot.types)(
  '%s has no kind, keeps its data, and the reason says what to do instead',
  (type) => {
    const { kind, data, report } = importBlock({ type, options: { kept: 1 } })
    expect(kind).toBe('placeholder')
    expect(data).toMatchObject({ type, data: { options: { kept: 1 } } })
    expect(report.placeholders).toEqual([{ type, count: 1, reason: data.reason, places: ['Group'] }])
    expect(data.reason).toMatch(/^.+: .+\.$/)
  },
)
