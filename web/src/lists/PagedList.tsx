/** A list of plain rows that the API returns page by page. */

import type { ReactNode } from "react";
import { ListStates, type ShownList } from "./ListStates";
import styles from "./lists.module.css";

interface PagedListProps<T> {
  list: ShownList<T>;
  /** What is listed, such as `tasks`. */
  what: string;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}

export function PagedList<T extends { id: string }>({ list, what, empty, children }: PagedListProps<T>) {
  return (
    <ListStates list={list} what={what} empty={<p className={styles.empty}>{empty}</p>}>
      {(items) => (
        <ul className={styles.rows} aria-label={what.charAt(0).toUpperCase() + what.slice(1)}>
          {items.map((item) => (
            <li key={item.id} data-testid="list-row">
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </ListStates>
  );
}
