-- The function that queues a task moved to the slice core.
-- depends: 0081.core-vitrine
comment on schema queue is 'File des tâches : les objets de procrastinate, tels qu''il les livre. Y écrire passe par core._differer.';
