/** Measures a crawl in this process and sends what it took. @param crawl finds pages from the address on. @returns their number */
export function measure(crawl: (url: string, most: number) => Promise<number>): Promise<void>
